import type { Configuration } from "../config/Config.ts"

/** Whether the configuration says how mail leaves: what needs mail works, and `/config` says so. */
export const sendsMail = ({ smtp }: Pick<Configuration, "smtp">): boolean =>
  smtp.transport === "sendmail" ? smtp.sendmail !== null : smtp.hostname !== null
