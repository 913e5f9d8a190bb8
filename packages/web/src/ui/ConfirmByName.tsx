import { useState } from "preact/hooks"
import { text } from "../i18n/Text.ts"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"
import { TextField } from "./Field.tsx"

const t = text("common")

/** Asks before what takes much away for ever: its name must be typed. */
export const ConfirmByName = ({
  action,
  busy,
  name,
  onClose,
  onConfirm,
  text: words,
  title
}: {
  readonly title: string
  readonly text: string
  readonly action: string
  readonly name: string
  readonly busy: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}) => {
  const [typed, setTyped] = useState("")
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button kind="danger" busy={busy} disabled={typed.trim() !== name} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      <p>{words}</p>
      <TextField label={t("typeName", { name })} value={typed} onValue={setTyped} />
    </Dialog>
  )
}
