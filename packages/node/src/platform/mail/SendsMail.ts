import type { Configuration } from "../config/Configuration.ts"

/** Whether mail is configured. Features that need mail depend on it, and `/config` shows it. */
export const sendsMail = ({ smtp }: Pick<Configuration, "smtp">): boolean =>
  smtp.transport === "sendmail" ? smtp.sendmail !== null : smtp.hostname !== null
