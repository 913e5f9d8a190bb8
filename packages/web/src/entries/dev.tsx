import { render } from "preact"
import { loadMessages } from "../i18n/Text.ts"
import { Components } from "../components-page/Components.tsx"

const root = document.querySelector<HTMLElement>("[data-components]")

if (root !== null) {
  void loadMessages("common").then(() => {
    root.replaceChildren()
    render(<Components />, root)
  })
}
