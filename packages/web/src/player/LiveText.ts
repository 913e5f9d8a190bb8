import { pageText } from "../i18n/PageText.ts"
import { messages } from "@kinora/domain/messages/en/live"

/** What the player says of lives. */
export const t = pageText("live", messages)
