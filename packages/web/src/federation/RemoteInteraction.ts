import { property } from "../api/Answer.ts"
import { isLoggedIn } from "../api/StoredSession.ts"
import { askAsUser } from "../session/Session.ts"

const first = (list: unknown): unknown => {
  const data = property(list, "data")
  return Array.isArray(data) ? data[0] : undefined
}

const textOf = (value: unknown, name: string): string => String(property(value, name) ?? "")

/** What is searched in turn, and the page of ours that shows what was found. */
const kinds: ReadonlyArray<readonly [kind: string, page: (found: unknown) => string]> = [
  ["videos", (it) => `/w/${textOf(it, "shortUUID")}`],
  ["video-channels", (it) => `/c/${textOf(it, "name")}@${textOf(it, "host")}`],
  ["video-playlists", (it) => `/w/p/${textOf(it, "shortUUID")}`]
]

/** Has the instance look up what is elsewhere, as the user who is logged in, and goes there. */
export const interactRemotely = async (root: HTMLElement): Promise<void> => {
  const outcome = root.querySelector("[data-outcome]")!
  if (!isLoggedIn()) {
    outcome.textContent = "Log in to find this here, and to follow, rate or comment on it as yourself."
    root.querySelector<HTMLElement>("[data-login]")!.hidden = false
    return
  }
  const search = encodeURIComponent(root.dataset["remoteInteraction"] ?? "")
  for (const [kind, page] of kinds) {
    const found = first((await askAsUser(`/api/v1/search/${kind}?search=${search}`)).body)
    if (found !== undefined) return location.replace(page(found))
  }
  outcome.textContent = "Nothing was found there that could be shown here."
}
