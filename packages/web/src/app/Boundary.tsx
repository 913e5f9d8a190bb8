import { Component, type ComponentChildren } from "preact"
import { text } from "../i18n/Text.ts"
import { Button, ButtonLink } from "../ui/Button.tsx"
import { Empty } from "../ui/States.tsx"

const t = text("common")

/** Shows words and ways out in place of a page that has thrown. */
export class Boundary extends Component<{ readonly children: ComponentChildren }, { readonly error?: Error }> {
  static override getDerivedStateFromError = (error: Error) => ({ error })

  override componentDidCatch(error: Error): void {
    console.error(error)
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return (
      <Empty icon="warning" title={t("brokenTitle")} text={t("brokenText", { reason: error.message })}>
        <Button kind="primary" icon="retry" onClick={() => location.reload()}>
          {t("reload")}
        </Button>
        <ButtonLink href="/">{t("homeLink")}</ButtonLink>
      </Empty>
    )
  }
}
