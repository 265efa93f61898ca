//! The program `briefwelt`.

fn main() {}
