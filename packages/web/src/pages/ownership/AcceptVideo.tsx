import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { Button } from "../../ui/Button.tsx"
import { SelectField } from "../../ui/Choices.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"
import { ownChannelOptions } from "../../video-form/Choices.ts"
import type { Offer } from "./Offers.ts"

const t = text("ownership")
const common = text("common")

/** Takes a video over into a channel of the user. */
export const AcceptVideo = ({
  offer,
  onClose,
  onDone
}: {
  readonly offer: Offer
  readonly onClose: () => void
  readonly onDone: () => void
}) => {
  const channels = ownChannelOptions()
  const [channelId, setChannelId] = useState(channels[0]?.value ?? "")
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const name = offer.video?.name ?? ""
  const accept = async (): Promise<void> => {
    setBusy(true)
    const answer = await call("POST /api/v1/videos/ownership/:id/accept", {
      params: { id: offer.id },
      body: { channelId: Number(channelId) }
    })
    setBusy(false)
    if (!answer.ok) return setError(answer.wrong[0]?.reason ?? failureWords(answer))
    toast(t("videoAccepted", { name }))
    onDone()
  }
  return (
    <Dialog
      title={t("acceptAsk", { name })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common("cancel")}</Button>
          <Button kind="primary" busy={busy} onClick={() => void accept()}>
            {t("accept")}
          </Button>
        </>
      }
    >
      <div class="stack">
        <p>{t("acceptText")}</p>
        <SelectField label={t("channel")} value={channelId} options={channels} error={error} onValue={setChannelId} />
      </div>
    </Dialog>
  )
}
