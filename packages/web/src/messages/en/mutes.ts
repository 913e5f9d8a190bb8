/** Accounts and servers that the user mutes. */
export const messages = {
  title: "Muted",
  lead: "You see no videos, comments or notifications of whom you mute. They do not learn of it.",
  kinds: "What is muted",
  accounts: "Accounts",
  servers: "Servers",
  account: "Account",
  accountHelp: "Its name, as anna or anna@example.org.",
  server: "Server",
  serverHelp: "Its name, as example.org. Everything that comes from it is muted.",
  mute: "Mute",
  muted: "{name} is muted.",
  unmute: "Mute {name} no longer",
  unmuted: "{name} is muted no longer.",
  since: "Since {day}",
  noAccounts: "You mute no account.",
  noServers: "You mute no server."
} as const
