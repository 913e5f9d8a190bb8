import { UserRegistrationState } from "@kinora/domain/enums/UserRegistrationState"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { confirm } from "../../ui/Confirm.tsx"
import { actOnAll } from "../admin/Acts.ts"
import type { TextQuestion } from "../admin/TextDialog.tsx"

const t = text("registrations")

export type Registration = Output<"GET /api/v1/users/registrations">["data"][number]

export const isPending = (it: Registration): boolean => it.state.id === UserRegistrationState.pending

/** What is asked before an account is granted or refused: the word to the person is mailed. */
export const decisionQuestion = (registration: Registration, accept: boolean): TextQuestion => {
  const name = registration.username
  return {
    title: accept ? t("acceptTitle", { name }) : t("rejectTitle", { name }),
    text: accept ? t("acceptText") : t("rejectText"),
    label: t("word"),
    help: t("wordHelp"),
    action: accept ? t("accept") : t("reject"),
    danger: !accept,
    required: true,
    initial: accept ? t("welcome", { name }) : "",
    max: 3000,
    choice: { label: t("withMail"), help: t("withMailHelp"), initial: true },
    send: (moderationResponse, withMail) =>
      call(
        accept
          ? "POST /api/v1/users/registrations/:registrationId/accept"
          : "POST /api/v1/users/registrations/:registrationId/reject",
        { params: { registrationId: registration.id }, body: { moderationResponse, preventEmailDelivery: !withMail } }
      ),
    said: accept ? t("accepted", { name }) : t("rejected", { name })
  }
}

/** Deletes registrations once the person has said yes. */
export const deleteRegistrations = async (registrations: ReadonlyArray<Registration>): Promise<boolean> => {
  const yes = await confirm({
    title: t("deleteTitle", { count: registrations.length }),
    text: t("deleteText"),
    action: t("delete"),
    danger: true
  })
  if (!yes) return false
  return await actOnAll(
    registrations,
    (it) => call("DELETE /api/v1/users/registrations/:registrationId", { params: { registrationId: it.id } }),
    (count) => t("deleted", { count })
  )
}
