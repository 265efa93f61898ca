//! A host in a temporary folder and a browser without a window, for tests.
