import { isLoggedIn } from "../api/StoredSession.ts"
import { enhanceSite } from "../site/Site.ts"
import { loadPageLanguage, pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/site.ts"

const t = pageText("site", messages)

/** Loads a part that few pages need; says so on the page when it cannot be loaded. */
const load = <A>(part: Promise<A>, run: (part: A) => unknown): void => {
  part.then(run, () => {
    const outcome = document.querySelector(".outcome")
    if (outcome !== null) outcome.textContent = t("partMissing")
  })
}

/** Makes the page alive, in its language. */
const start = (): void => {
  enhanceSite()
  const notifications = document.querySelector<HTMLElement>("[data-notifications]")
  if (notifications !== null) {
    load(import("../notifications/NotificationsPage.ts"), (it) => it.showNotifications(notifications))
  }
  const myPlaylists = document.querySelector<HTMLElement>("[data-my-playlists]")
  if (myPlaylists !== null) load(import("../playlists/MyPlaylists.ts"), (it) => it.showMyPlaylists(myPlaylists))
  const myPlaylist = document.querySelector<HTMLElement>("[data-my-playlist]")
  if (myPlaylist !== null) load(import("../playlists/MyPlaylist.ts"), (it) => it.showMyPlaylist(myPlaylist))
  const remotely = document.querySelector<HTMLElement>("[data-remote-interaction]")
  if (remotely !== null) load(import("../federation/RemoteInteraction.ts"), (it) => it.interactRemotely(remotely))
  const actorMenu = document.querySelector<HTMLElement>("[data-actor-menu]")
  if (actorMenu !== null && isLoggedIn()) load(import("../site/ActorMenu.ts"), (it) => it.fillActorMenu(actorMenu))
  const filters = document.querySelector<HTMLFormElement>("form[data-filters]")
  if (filters !== null) load(import("../site/Filters.ts"), (it) => it.enhanceFilters(filters))
  if (document.querySelector(".card") !== null) {
    void import("../cards/OpenedCard.ts").then(
      (it) => it.growIntoPlayer(),
      () => {}
    )
  }
  if (document.querySelector("form[data-form]") !== null) load(import("../forms/Forms.ts"), (it) => it.enhanceForms())
}

void loadPageLanguage().then(start)
