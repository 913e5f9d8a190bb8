import { constraints } from "@kinora/domain/enums/Constraints"
import { VideoPrivacy } from "@kinora/domain/enums/VideoPrivacy"
import { useState } from "preact/hooks"
import type { Failure } from "../../api/Answer.ts"
import { text } from "../../i18n/Text.ts"
import { useDraft } from "../../navigation/Draft.ts"
import { me } from "../../session/Me.ts"
import { Button } from "../../ui/Button.tsx"
import { SelectField } from "../../ui/Choices.tsx"
import { TextField } from "../../ui/Field.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"
import { channelAddressOf } from "./Source.ts"
import { begin, type Whole, wholes } from "./Syncs.ts"
import { channelOf, Target, type TargetFields } from "./Target.tsx"

const t = text("imports")

interface SyncFields extends TargetFields {
  readonly address: string
  readonly whole: Whole
}

const handleOf = (channelId: number): string =>
  [...(me.value?.videoChannels ?? []), ...(me.value?.videoChannelCollaborations ?? [])].find(
    (it) => it.id === channelId
  )?.name ?? ""

/** Follows a channel elsewhere, or fetches it once. */
export const SyncForm = ({
  followable,
  onBegun
}: {
  /** Whether channels are followed here, beside being fetched once. */
  readonly followable: boolean
  readonly onBegun: () => Promise<void>
}) => {
  const draft = useDraft<SyncFields>("sync", { address: "", whole: "new", channelId: 0, privacy: VideoPrivacy.public })
  const fields = draft.value
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Failure>()
  const choices = wholes.filter((it) => followable || it === "once")
  const whole = choices.find((it) => it === fields.whole) ?? choices[0] ?? "once"
  const address = channelAddressOf(fields.address)
  const change = (changes: Partial<SyncFields>): void => {
    setRefusal(undefined)
    draft.set(changes)
  }
  const send = async (): Promise<void> => {
    setTried(true)
    if (address === undefined) return
    setBusy(true)
    const channelId = channelOf(fields)
    const answer = await begin({
      whole,
      externalChannelUrl: address,
      channelId,
      channelHandle: handleOf(channelId),
      privacy: fields.privacy
    })
    setBusy(false)
    if (answer.ok) {
      setTried(false)
      change({ address: "" })
      toast(t("syncBegun", { whole }))
    } else setRefusal(answer)
    // Even then: the channel may be followed while its older videos could not be asked for.
    await onBegun()
  }
  return (
    <form
      class="card stack i-form"
      aria-label={t("syncFormLabel")}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void send()
      }}
    >
      <TextField
        label={t("syncAddress")}
        help={t("syncAddressHelp")}
        error={tried && address === undefined ? t("syncAddressWrong") : refusal?.wrong[0]?.reason}
        value={fields.address}
        maxLength={constraints.import.url.max}
        onValue={(it) => change({ address: it })}
      />
      <SelectField
        label={t("whole")}
        help={t("wholeHelp", { whole })}
        value={whole}
        options={choices.map((it) => ({ value: it, label: t("wholeName", { whole: it }) }))}
        onValue={(value) => change({ whole: choices.find((it) => it === value) ?? whole })}
      />
      <Target fields={fields} onChange={change} withPrivacy={whole !== "once"} />
      <footer class="form-foot">
        <p role="alert">{refusal === undefined || refusal.wrong.length > 0 ? "" : failureWords(refusal)}</p>
        <Button kind="primary" type="submit" busy={busy}>
          {t("syncBegin", { whole })}
        </Button>
      </footer>
    </form>
  )
}
