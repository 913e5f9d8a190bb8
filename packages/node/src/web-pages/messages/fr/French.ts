import { messages as live } from "@kinora/domain/messages/fr/live"
import { messages as sensitive } from "@kinora/domain/messages/fr/sensitive"
import { messages as account } from "./account.ts"
import { messages as actors } from "./actors.ts"
import { messages as common } from "./common.ts"
import { messages as instance } from "./instance.ts"
import { messages as labels } from "./labels.ts"
import { messages as library } from "./library.ts"
import { messages as lists } from "./lists.ts"
import { messages as notifications } from "./notifications.ts"
import { messages as watch } from "./watch.ts"

/** French messages of the pages by area. */
export const french = {
  account,
  actors,
  common,
  instance,
  labels,
  library,
  lists,
  live,
  notifications,
  sensitive,
  watch
}
