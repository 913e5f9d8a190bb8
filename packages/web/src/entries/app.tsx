import { render } from "preact"
import { App } from "../app/App.tsx"
import { askInPlace } from "../app/LoginDialog.tsx"
import { pageAt } from "../app/Pages.ts"
import { loadPageLanguage } from "../i18n/PageText.ts"
import { loadMessages, text } from "../i18n/Text.ts"
import { followLinks } from "../navigation/Location.ts"
import { loadMe } from "../session/Me.ts"
import { enhanceSite } from "../site/Site.ts"
import { LoadFailure } from "../ui/States.tsx"

void loadPageLanguage().then(enhanceSite)

const root = document.querySelector<HTMLElement>("[data-app]")

const start = async (into: HTMLElement): Promise<void> => {
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
