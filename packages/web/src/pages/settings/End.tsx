import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { logout } from "../../session/Session.ts"
import type { Me } from "../../session/Me.ts"
import { Button } from "../../ui/Button.tsx"
import { ConfirmByName } from "../../ui/ConfirmByName.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"

const t = text("settings")

/** The end of the account, which needs its name typed. */
export const End = ({ user }: { readonly user: Me }) => {
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const remove = async (): Promise<void> => {
    setBusy(true)
    const answer = await call("DELETE /api/v1/users/me")
    if (answer.ok) {
      // Its sessions are gone with it: this forgets them here.
      await logout()
      location.replace("/")
      return
    }
    setBusy(false)
    setAsking(false)
    toast(failureWords(answer), "failed")
  }
  return (
    <div class="card stack">
      <p>{t("endText")}</p>
      <p>{t("endExport")}</p>
      <div class="acts">
        <a class="btn btn-plain" href="/my/settings?part=data">
          {t("exportsLink")}
        </a>
        <Button kind="danger" icon="trash" onClick={() => setAsking(true)}>
          {t("end")}
        </Button>
      </div>
      {asking && (
        <ConfirmByName
          title={t("endAsk")}
          text={t("endText")}
          action={t("end")}
          name={user.username}
          busy={busy}
          onConfirm={() => void remove()}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}
