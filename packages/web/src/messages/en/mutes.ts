/** Accounts and servers that are muted, by the user or by the instance. */
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
  instanceTitle: "Muted for everybody",
  instanceLead: "Nobody on this instance sees their videos and comments, and what they send is refused.",
  noAccounts: "{by, select, instance {No account is muted for everybody.} other {You mute no account.}}",
  noServers: "{by, select, instance {No server is muted for everybody.} other {You mute no server.}}"
} as const
