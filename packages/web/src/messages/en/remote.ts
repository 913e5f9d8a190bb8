export const messages = {
  logIn: "Log in to find this here, and to follow, rate or comment on it as yourself.",
  nothing: "Nothing was found there that could be shown here."
} as const
