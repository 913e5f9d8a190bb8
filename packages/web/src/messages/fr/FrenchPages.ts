import { messages as accountMenu } from "./accountMenu.ts"
import { messages as actorMenu } from "./actorMenu.ts"
import { messages as bell } from "./bell.ts"
import { messages as cards } from "./cards.ts"
import { messages as comments } from "./comments.ts"
import { messages as dialogs } from "./dialogs.ts"
import { messages as forms } from "./forms.ts"
import { messages as live } from "@kinora/domain/messages/fr/live"
import { messages as notices } from "@kinora/domain/messages/fr/notices"
import { messages as outcome } from "./outcome.ts"
import { messages as panels } from "./panels.ts"
import { messages as player } from "./player.ts"
import { messages as playerKeys } from "./playerKeys.ts"
import { messages as playerStatistics } from "./playerStatistics.ts"
import { messages as playlists } from "./playlists.ts"
import { messages as processing } from "./processing.ts"
import { messages as rating } from "./rating.ts"
import { messages as remote } from "./remote.ts"
import { messages as sensitive } from "@kinora/domain/messages/fr/sensitive"
import { messages as site } from "./site.ts"
import { messages as subscriptions } from "./subscriptions.ts"
import { messages as upNext } from "./upNext.ts"

/** French messages of the public pages by area: one file for the scripts of all of them. */
export const pages = {
  accountMenu,
  actorMenu,
  bell,
  cards,
  comments,
  dialogs,
  forms,
  live,
  notices,
  outcome,
  panels,
  player,
  playerKeys,
  playerStatistics,
  playlists,
  processing,
  rating,
  remote,
  sensitive,
  site,
  subscriptions,
  upNext
}
