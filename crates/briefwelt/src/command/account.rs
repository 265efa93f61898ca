//! `briefwelt account`

use super::{find_seat, open, open_world};
use crate::cli::{self, Cli};
use crate::output::{table, tell, time};
use crate::words::Words;
use serde_json::json;

/// Accounts that the list shows at once.
const LISTED: u32 = 10_000;

/// Carries out `briefwelt account`.
pub async fn run(cli: &Cli, command: &cli::Account) -> anyhow::Result<()> {
    match command {
        cli::Account::List => {
            let accounts = open(cli, false).await?.accounts(0, LISTED).await?;
            tell(cli, &accounts, || {
                if accounts.is_empty() {
                    return Words::of(cli).t("no-accounts");
                }
                let rows: Vec<Vec<String>> = accounts
                    .iter()
                    .map(|account| {
                        vec![
                            account.name.clone(),
                            account.mail.clone().unwrap_or_default(),
                            time(account.created_at),
                            match account.admin {
                                true => Words::of(cli).t("administrator"),
                                false => String::new(),
                            },
                        ]
                    })
                    .collect();
                table(&rows)
            })
        }
        cli::Account::Admin { account, remove } => {
            let host = open(cli, false).await?;
            let account = host.find_account(account).await?;
            host.set_admin(&account.id, !remove).await?;
            let value = json!({ "account": account.name, "administrator": !remove });
            tell(cli, &value, || match remove {
                true => Words::of(cli).with("no-administrator-now", &[("name", &account.name)]),
                false => Words::of(cli).with("administrator-now", &[("name", &account.name)]),
            })
        }
        cli::Account::Master { account } => {
            let (host, world) = open_world(cli).await?;
            let account = host.find_account(account).await?;
            host.add_master(&world, &account.id, host::now()).await?;
            let value = json!({ "account": account.name, "master_of": world.name });
            tell(cli, &value, || {
                Words::of(cli).with("master-now", &[("name", &account.name), ("world", &world.name)])
            })
        }
        cli::Account::Seat { account, realm } => {
            let (host, world) = open_world(cli).await?;
            let account = host.find_account(account).await?;
            let seat = find_seat(&host, &world, realm).await?;
            let seat = host.assign_seat(&world, seat.realm, &account.id, host::now()).await?;
            tell(cli, &seat, || {
                Words::of(cli).with("played-by", &[("realm", &seat.name), ("player", &seat.player)])
            })
        }
    }
}
