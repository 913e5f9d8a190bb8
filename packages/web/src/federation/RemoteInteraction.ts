import { call } from "../api/Call.ts"
import { isLoggedIn } from "../api/StoredSession.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/remote.ts"

const t = pageText("remote", messages)

/** What is searched in turn: gives the page of ours that shows what was found. */
const searches: ReadonlyArray<(search: string) => Promise<string | undefined>> = [
  async (search) => {
    const found = (await call("GET /api/v1/search/videos", { query: { search } })).body?.data[0]
    return found && `/w/${found.shortUUID}`
  },
  async (search) => {
    const found = (await call("GET /api/v1/search/video-channels", { query: { search } })).body?.data[0]
    return found && `/c/${found.name}@${found.host}`
  },
  async (search) => {
    const found = (await call("GET /api/v1/search/video-playlists", { query: { search } })).body?.data[0]
    return found && `/w/p/${found.shortUUID}`
  }
]

/** Has the instance look up what is elsewhere, as the user who is logged in, and goes there. */
export const interactRemotely = async (root: HTMLElement): Promise<void> => {
  const outcome = root.querySelector("[data-outcome]")!
  if (!isLoggedIn()) {
    outcome.textContent = t("logIn")
    root.querySelector<HTMLElement>("[data-login]")!.hidden = false
    return
  }
  for (const search of searches) {
    const page = await search(root.dataset["remoteInteraction"] ?? "")
    if (page !== undefined) return location.replace(page)
  }
  outcome.textContent = t("nothing")
}
