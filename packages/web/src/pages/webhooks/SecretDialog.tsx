import { text } from "../../i18n/Text.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { toast } from "../../ui/Toasts.tsx"

const t = text("webhooks")

const copy = async (secret: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(secret)
    toast(t("copied"))
  } catch {
    toast(t("notCopied"), "failed")
  }
}

/** Shows the secret of a webhook, once. */
export const SecretDialog = ({ onClose, secret }: { readonly secret: string; readonly onClose: () => void }) => (
  <Dialog
    title={t("secretTitle")}
    onClose={onClose}
    actions={
      <>
        <Button icon="copy" onClick={() => void copy(secret)}>
          {t("copy")}
        </Button>
        <Button kind="primary" onClick={onClose}>
          {t("kept")}
        </Button>
      </>
    }
  >
    <div class="stack">
      <p>{t("secretText")}</p>
      <pre class="webhook-secret" tabIndex={0}>
        {secret}
      </pre>
    </div>
  </Dialog>
)
