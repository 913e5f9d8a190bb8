import { render } from "preact"
import { App } from "../app/App.tsx"
import { askInPlace } from "../app/LoginDialog.tsx"
import { pageAt } from "../app/Pages.ts"
import { loadPageLanguage } from "../i18n/PageText.ts"
import { loadMessages, text } from "../i18n/Text.ts"
import { followLinks, place } from "../navigation/Location.ts"
import { loadMe } from "../session/Me.ts"
import { enhanceSite } from "../site/Site.ts"
import { LoadFailure } from "../ui/States.tsx"

const root = document.querySelector<HTMLElement>("[data-app]")

const start = async (into: HTMLElement): Promise<void> => {
  // Its script comes while it is asked who is there; should it fail to, the outlet says so.
  pageAt(place.peek().path)
    ?.page.load()
    .catch(() => {})
  const [known] = await Promise.all([loadMe(), loadMessages("common")])
  if (known === "login") return
  into.replaceChildren()
  if (known === "failed") {
    render(<LoadFailure reason={text("common")("offline")} onRetry={() => location.reload()} />, into)
    return
  }
  askInPlace()
  followLinks((path) => pageAt(path) !== undefined)
  render(<App />, into)
}

if (root !== null) void start(root)
// In a task of its own: what the page asks for is on its way by then, and whoever types meanwhile is answered between the two.
setTimeout(() => void loadPageLanguage().then(enhanceSite))
