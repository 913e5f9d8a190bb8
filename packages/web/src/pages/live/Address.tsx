import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { Button, ButtonLink } from "../../ui/Button.tsx"
import { confirm } from "../../ui/Confirm.tsx"
import { Field } from "../../ui/Field.tsx"
import { report } from "../../ui/Outcome.ts"
import { toast } from "../../ui/Toasts.tsx"
import type { Live } from "./LiveFields.ts"

const t = text("lives")

const copy = async (words: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(words)
    toast(t("copied"))
  } catch {
    toast(t("notCopied"), "failed")
  }
}

/** A text to take elsewhere. One that is secret is dots until it is shown; it is copied unseen, too. */
const Copied = ({ label, secret = false, value }: { label: string; value: string; secret?: boolean }) => {
  const [shown, setShown] = useState(!secret)
  return (
    <div class="beside">
      <Field label={label}>
        {(control) => (
          <input
            {...control}
            class="in"
            readOnly
            // The types of the attributes name one kind of field each, and no choice of kinds.
            {...({ type: shown ? "text" : "password" } as { readonly type: "text" })}
            autocomplete="off"
            spellcheck={false}
            dir="ltr"
            value={value}
          />
        )}
      </Field>
      {secret && (
        <Button icon="eye" onClick={() => setShown(!shown)}>
          {shown ? t("hideKey") : t("showKey")}
        </Button>
      )}
      <Button icon="copy" label={t("copy", { what: label })} onClick={() => void copy(value)} />
    </div>
  )
}

/** Where the program of the maker sends to, and its key; whoever has the key may publish. */
export const Address = ({
  id,
  isOn,
  live,
  onChanged,
  room
}: {
  readonly id: number
  /** The live, as the address of its control room has it. */
  readonly room: string
  readonly live: Live
  readonly isOn: boolean
  readonly onChanged: () => Promise<void>
}) => {
  const [busy, setBusy] = useState(false)
  const replace = async (): Promise<void> => {
    const yes = await confirm({
      title: t("replaceTitle"),
      text: t(isOn ? "replaceTextOn" : "replaceText"),
      action: t("replace"),
      danger: true
    })
    if (!yes) return
    setBusy(true)
    const answer = await call("POST /api/v1/videos/live/:id/stream-key", { params: { id } })
    if (report(answer, t("replaced"))) await onChanged()
    setBusy(false)
  }
  const { rtmpUrl, rtmpsUrl, srtUrl, streamKey, whipUrl } = live
  return (
    <section class="card stack" aria-labelledby="live-address">
      <h2 id="live-address">{t("address")}</h2>
      {rtmpsUrl ? <Copied label={t("rtmps")} value={rtmpsUrl} /> : null}
      {rtmpUrl ? <Copied label={t("rtmp")} value={rtmpUrl} /> : null}
      {whipUrl ? <Copied label={t("whip")} value={whipUrl} /> : null}
      {streamKey === undefined ? null : <Copied label={t("key")} value={streamKey} secret />}
      {srtUrl ? <Copied label={t("srt")} value={srtUrl} secret /> : null}
      {srtUrl ? <p class="f-help">{t("srtHelp")}</p> : null}
      <p class="f-help">{t("keyHelp")}</p>
      <div class="acts">
        {whipUrl ? (
          <ButtonLink href={`/my/lives/${room}/broadcast`} icon="live" kind="primary">
            {t("fromBrowser")}
          </ButtonLink>
        ) : null}
        <Button icon="retry" busy={busy} onClick={() => void replace()}>
          {t("replace")}
        </Button>
      </div>
      <h3>{t("obs")}</h3>
      <ol class="live-steps">
        <li>{t("obsService")}</li>
        {whipUrl ? <li>{t("obsWhip")}</li> : null}
        <li>{t("obsKeyframes")}</li>
        <li>{t("obsStart")}</li>
      </ol>
    </section>
  )
}
