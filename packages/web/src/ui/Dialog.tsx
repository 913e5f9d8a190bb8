import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef } from "preact/hooks"
import { text } from "../i18n/Text.ts"
import { Button } from "./Button.tsx"

const t = text("common")

/** A dialog over the page. The browser keeps the focus in it and gives it back; Escape and a click beside it close it. */
export const Dialog = ({
  actions,
  children,
  onClose,
  title
}: {
  readonly title: string
  readonly children: ComponentChildren
  readonly actions?: ComponentChildren
  readonly onClose: () => void
}) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const it = dialog.current
    it?.showModal()
    return () => it?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose()
      }}
    >
      <div class="dialog-body">
        <header>
          <h2 id={id}>{title}</h2>
          <Button kind="quiet" icon="close" label={t("close")} onClick={onClose} />
        </header>
        {children}
        {actions !== undefined && <footer>{actions}</footer>}
      </div>
    </dialog>
  )
}
