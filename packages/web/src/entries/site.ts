import { isLoggedIn } from "../api/StoredSession.ts"
import { enhanceSite } from "../site/Site.ts"

enhanceSite()

/** Loads a part that few pages need; says so on the page when it cannot be loaded. */
const load = <A>(part: Promise<A>, run: (part: A) => unknown): void => {
  part.then(run, () => {
    const outcome = document.querySelector(".outcome")
    if (outcome !== null) outcome.textContent = "A part of this page did not load. Please load it again."
  })
}

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
if (document.querySelector("form[data-form]") !== null) load(import("../forms/Forms.ts"), (it) => it.enhanceForms())
