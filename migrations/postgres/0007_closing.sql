-- When a world was closed for good; from then on the keys of its dice are public.
ALTER TABLE worlds ADD COLUMN closed_at BIGINT;
