import { useState } from "preact/hooks"
import type { Failure } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { useDraft } from "../../navigation/Draft.ts"
import { Button } from "../../ui/Button.tsx"
import { Checkbox } from "../../ui/Choices.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"
import { ChannelForm, errorsOf, orNull } from "./ChannelForm.tsx"

const t = text("channels")

export type Channel = Output<"GET /api/v1/video-channels/:channelHandle">

/** The texts of a channel. */
export const About = ({ channel, onSaved }: { readonly channel: Channel; readonly onSaved: () => Promise<void> }) => {
  const initial = {
    name: channel.name,
    displayName: channel.displayName,
    description: channel.description ?? "",
    support: channel.support ?? "",
    toVideos: false
  }
  const draft = useDraft(`channel.${channel.name}`, initial)
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Failure>()
  const fields = draft.value
  const errors = errorsOf(fields, false)
  const isChanged = JSON.stringify(fields) !== JSON.stringify(initial)
  const save = async (): Promise<void> => {
    setTried(true)
    if (Object.keys(errors).length > 0) return
    setBusy(true)
    const answer = await call("PUT /api/v1/video-channels/:channelHandle", {
      params: { channelHandle: channel.name },
      body: {
        displayName: fields.displayName.trim(),
        description: orNull(fields.description),
        support: orNull(fields.support),
        bulkVideosSupportUpdate: fields.toVideos
      }
    })
    if (answer.ok) {
      toast(t("saved"))
      await onSaved()
      draft.clear()
      draft.set({ ...fields, toVideos: false })
    } else setRefusal(answer)
    setBusy(false)
  }
  return (
    <form
      class="card"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void save()
      }}
    >
      <ChannelForm
        fields={fields}
        isNew={false}
        errors={tried ? errors : {}}
        refusal={refusal}
        onChange={(changes) => {
          setRefusal(undefined)
          draft.set(changes)
        }}
      >
        <Checkbox
          label={t("supportVideos")}
          checked={fields.toVideos}
          onChecked={(toVideos) => draft.set({ toVideos })}
        />
      </ChannelForm>
      <footer class="form-foot">
        <p role="alert">{refusal === undefined ? "" : failureWords(refusal)}</p>
        {isChanged && !busy && <span class="form-note">{t("unsaved")}</span>}
        {isChanged && !busy && <Button onClick={() => draft.clear()}>{t("discard")}</Button>}
        <Button type="submit" kind="primary" busy={busy}>
          {t("save")}
        </Button>
      </footer>
    </form>
  )
}
