import { enhanceConversation } from "../comments/Section.ts"
import { addFeatures } from "../player/features/Features.ts"
import { readOptions } from "../player/Options.ts"
import { createPlayer } from "../player/Player.ts"
import { queueOfPage, followQueue, inQueue } from "../playlists/PlaylistQueue.ts"
import { parseTime } from "../player/Time.ts"
import type { ShownVideo, VideoDetails } from "../api/Wire.ts"
import { isLoggedIn } from "../api/StoredSession.ts"
import { countDownTo, offerAutoplayNext } from "../site/AutoplayNext.ts"
import { enhanceSite, playsAtOnce } from "../site/Site.ts"
import { offerTheatre } from "../site/Theatre.ts"
import { offerWatchActions } from "../site/WatchActions.ts"
import { enhanceWatchPage, fillInVideo } from "../site/Watch.ts"

import { loadPageLanguage } from "../i18n/PageText.ts"

/** Its owner sees what could not be made of a video. */
const enhanceProcessing = (): void => {
  const title = document.querySelector<HTMLElement>(".watch article > h1:not([data-processing])")
  const section = document.querySelector<HTMLElement>("[data-comments][data-owner]")
  if (!isLoggedIn() || title === null || section === null) return
  title.dataset["processing"] = ""
  const { comments = "", owner } = section.dataset
  void import("../site/Processing.ts").then((it) => it.showProcessing(title, comments, Number(owner)))
}

/** Makes the page alive, in its language. */
const start = (): void => {
  enhanceSite()
  const root = document.querySelector<HTMLElement>("[data-video]")
  // A video that anonymous visitors cannot see is requested again with the user's token.
  if (root?.dataset["video"] === "") root.dataset["video"] = location.pathname.split("/").pop()
  if (root !== null && (isLoggedIn() || root.closest("[data-perhaps]") === null)) {
    const queue = queueOfPage()
    const options = inQueue(readOptions(location.search, { autoplay: playsAtOnce() }), queue)
    const player = createPlayer(root, options, (details) => {
      fillInVideo(details)
      offerActions(details)
      enhanceConversation(() => player.headers())
      enhanceProcessing()
    })
    // The answer is whole, whatever the player reads of it.
    const offerActions = (details: VideoDetails) => offerWatchActions(player, details as ShownVideo)
    void player.settled.then(() => {
      const details = player.details()
      if (details !== undefined) offerActions(details)
    })
    // The player says what it learns of a live; the answer is whole.
    root.addEventListener("livedetails", (event) => {
      const title = document.querySelector<HTMLElement>(".watch article > h1")
      if (title === null || !(event instanceof CustomEvent)) return
      void import("../site/LiveLine.ts").then((it) => it.showLiveLine(title, event.detail as ShownVideo))
    })
    followQueue(player, queue, countDownTo(player))
    addFeatures(player, queue)
    offerTheatre(player)
    offerAutoplayNext(player)
    enhanceWatchPage(player, parseTime)
    enhanceConversation(player.headers)
    enhanceProcessing()
  }

  const ownPlaylist = document.querySelector<HTMLElement>("[data-own-playlist]")
  if (ownPlaylist !== null) void import("../playlists/OwnPlaylist.ts").then((it) => it.showOwnPlaylist(ownPlaylist))
  const closedPlace = document.querySelector("[data-playlist] .place.gone")?.closest<HTMLElement>("[data-playlist]")
  if (closedPlace) void import("../playlists/OwnPlaylist.ts").then((it) => it.showWholePlaylist(closedPlace))
  const save = document.querySelector<HTMLButtonElement>("button[data-save]")
  if (save !== null) void import("../playlists/SaveMenu.ts").then((it) => it.enhanceSaveButton(save))
}

void loadPageLanguage().then(start)
