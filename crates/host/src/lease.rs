//! Claiming what waits in the database: one row, for one process, for a while.

/// The SQL that claims the row of a table which has been due longest: `$1` is now, `$2` the end of the lease, `$3` the
/// lease. Jobs and mails differ only in the table, the column of their moment and what is read of them.
macro_rules! claim_sql {
    ($table:literal, $due:literal, $columns:literal, $lock:literal) => {
        concat!(
            "UPDATE ",
            $table,
            " SET lease = $3, lease_until = $2, attempts = attempts + 1 WHERE id = (SELECT id FROM ",
            $table,
            " WHERE done_at IS NULL AND ",
            $due,
            " <= $1 AND lease_until <= $1 ORDER BY ",
            $due,
            ", id LIMIT 1",
            $lock,
            ") RETURNING ",
            $columns
        )
    };
}

/// Claims a row within a transaction; of several processes each gets another one.
macro_rules! claim {
    ($tx:expr, $table:literal, $due:literal, $columns:literal, $values:expr) => {
        match $tx {
            $crate::db::Tx::Sqlite(_) => {
                $tx.maybe($crate::lease::claim_sql!($table, $due, $columns, ""), $values)
                    .await
            }
            $crate::db::Tx::Postgres(_) => {
                let sql = $crate::lease::claim_sql!($table, $due, $columns, " FOR UPDATE SKIP LOCKED");
                $tx.maybe(sql, $values).await
            }
        }
    };
}

pub(crate) use {claim, claim_sql};
