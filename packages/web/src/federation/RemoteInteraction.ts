import { call } from "../api/Call.ts"
import { isLoggedIn } from "../api/StoredSession.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/remote.ts"

const t = pageText("remote", messages)

/** Searches for one kind of thing: gives the page of ours that shows what was found. */
type Search = (search: string) => Promise<string | undefined>

const videos: Search = async (search) => {
  const found = (await call("GET /api/v1/search/videos", { query: { search } })).body?.data[0]
  return found && `/w/${found.shortUUID}`
}

const channels: Search = async (search) => {
  const found = (await call("GET /api/v1/search/video-channels", { query: { search } })).body?.data[0]
  return found && `/c/${found.name}@${found.host}`
}

const playlists: Search = async (search) => {
  const found = (await call("GET /api/v1/search/video-playlists", { query: { search } })).body?.data[0]
  return found && `/w/p/${found.shortUUID}`
}

/** What is searched in turn. A handle names a channel, and also finds videos of it. */
const searchesFor = (uri: string): ReadonlyArray<Search> =>
  /^https?:/i.test(uri) ? [videos, channels, playlists] : [channels, videos]

/** Has the instance look up what is elsewhere, as the user who is logged in, and goes there. */
export const interactRemotely = async (root: HTMLElement): Promise<void> => {
  const outcome = root.querySelector("[data-outcome]")!
  if (!isLoggedIn()) {
    outcome.textContent = t("logIn")
    root.querySelector<HTMLElement>("[data-login]")!.hidden = false
    return
  }
  const uri = root.dataset["remoteInteraction"] ?? ""
  for (const search of searchesFor(uri)) {
    const page = await search(uri)
    if (page !== undefined) return location.replace(page)
  }
  outcome.textContent = t("nothing")
}
