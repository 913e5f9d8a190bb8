import { constraints } from "@kinora/domain/enums/Constraints"
import { useState } from "preact/hooks"
import type { Failure } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useDraft } from "../../navigation/Draft.ts"
import { me } from "../../session/Me.ts"
import { Button } from "../../ui/Button.tsx"
import type { Option } from "../../ui/Choices.tsx"
import { TextArea, TextField } from "../../ui/Field.tsx"
import { TagsField } from "../../ui/TagsField.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"
import { VideoForm } from "../../video-form/VideoForm.tsx"
import { changesOf, type Editable, type EditErrors, errorsOf, type EditFields, fieldsOf } from "./Editable.ts"

const t = text("edit")

/** Channels the person may publish in; that of the video is among them, whoever owns it. */
const channelOptions = ({ video }: Editable): ReadonlyArray<Option> => {
  const mine = [...(me.value?.videoChannels ?? []), ...(me.value?.videoChannelCollaborations ?? [])]
  const all = mine.some((it) => it.id === video.channel.id) ? mine : [video.channel, ...mine]
  return all.map((it) => ({ value: String(it.id), label: it.displayName }))
}

/** Everything about a video that is a text or a choice. What is typed is kept until it is saved. */
export const Details = ({
  editable,
  onSaved
}: {
  readonly editable: Editable
  readonly onSaved: () => Promise<void>
}) => {
  const { id, uuid } = editable.video
  const initial = fieldsOf(editable)
  const draft = useDraft<EditFields>(`edit.${uuid}`, initial)
  const [sent, setSent] = useState<EditFields>()
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Failure>()
  const fields = sent ?? draft.value
  const errors: EditErrors = errorsOf(fields, Date.now())
  const shown: EditErrors = tried ? errors : {}
  const isChanged = sent === undefined && JSON.stringify(fields) !== JSON.stringify(initial)
  const change = (changes: Partial<EditFields>): void => {
    setRefusal(undefined)
    draft.set(changes)
  }
  const save = async (): Promise<void> => {
    setTried(true)
    if (Object.keys(errors).length > 0) return
    setBusy(true)
    const answer = await call("PUT /api/v1/videos/:id", { params: { id }, body: changesOf(fields) })
    if (answer.ok) {
      setSent(fields)
      draft.clear()
      toast(t("saved"))
      await onSaved()
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
      <VideoForm
        fields={fields}
        channels={channelOptions(editable)}
        errors={shown}
        refusal={refusal}
        onChange={change}
        passwords={
          <TagsField
            label={t("passwords")}
            help={t("passwordsHelp")}
            value={fields.passwords}
            max={constraints.video.passwords.max}
            onValue={(passwords) => change({ passwords })}
            error={shown.passwords === undefined ? undefined : t(shown.passwords)}
            required
          />
        }
      >
        <TextArea
          label={t("support")}
          help={t("supportHelp")}
          value={fields.support}
          onValue={(support) => change({ support })}
          error={shown.support === undefined ? undefined : t(shown.support)}
          optional
        />
        <TextField
          label={t("published")}
          type="date"
          value={fields.publishedElsewhere}
          onValue={(publishedElsewhere) => change({ publishedElsewhere })}
          optional
        />
      </VideoForm>
      <footer class="form-foot">
        <p role="alert">{refusal === undefined ? "" : failureWords(refusal)}</p>
        {isChanged && <span class="form-note">{t("unsaved")}</span>}
        {isChanged && <Button onClick={() => draft.clear()}>{t("discard")}</Button>}
        <Button type="submit" kind="primary" busy={busy}>
          {t("save")}
        </Button>
      </footer>
    </form>
  )
}
