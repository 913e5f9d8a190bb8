import { useState } from "preact/hooks"
import type { Failure } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useDraft } from "../../navigation/Draft.ts"
import { loadMe } from "../../session/Me.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"
import { ChannelForm, errorsOf, orNull } from "./ChannelForm.tsx"

const t = text("channels")
const common = text("common")

/** A dialog in which a channel is made. */
export const NewChannel = ({ onClose, onMade }: { readonly onClose: () => void; readonly onMade: () => void }) => {
  const draft = useDraft("channel", { name: "", displayName: "", description: "", support: "" })
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Failure>()
  const fields = draft.value
  const errors = errorsOf(fields, true)
  const make = async (): Promise<void> => {
    setTried(true)
    if (Object.keys(errors).length > 0) return
    setBusy(true)
    const answer = await call("POST /api/v1/video-channels", {
      body: {
        name: fields.name,
        displayName: fields.displayName.trim(),
        description: orNull(fields.description),
        support: orNull(fields.support)
      }
    })
    setBusy(false)
    if (!answer.ok) return setRefusal(answer)
    draft.clear()
    toast(t("created", { name: fields.displayName.trim() }))
    await loadMe()
    onMade()
  }
  return (
    <Dialog
      title={t("create")}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common("cancel")}</Button>
          <Button kind="primary" busy={busy} onClick={() => void make()}>
            {t("create")}
          </Button>
        </>
      }
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void make()
        }}
      >
        <ChannelForm
          fields={fields}
          isNew
          errors={tried ? errors : {}}
          refusal={refusal}
          onChange={(changes) => {
            setRefusal(undefined)
            draft.set(changes)
          }}
        />
        <p class="f-error" role="alert">
          {refusal === undefined ? "" : failureWords(refusal)}
        </p>
      </form>
    </Dialog>
  )
}
