import { Context } from "effect"

/** Whether the instance may get another public address (`serve --rename-host`). Set by the entry point. */
export const RenameHost = Context.Reference<boolean>("@kinora/node/config/RenameHost", { defaultValue: () => false })
