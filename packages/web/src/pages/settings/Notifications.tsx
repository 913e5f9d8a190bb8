import { type NotificationSettingKey, NotificationWay } from "@kinora/domain/enums/NotificationSetting"
import type { UserRight } from "@kinora/domain/enums/UserRight"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { loadMe, mayUse, type Me } from "../../session/Me.ts"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"

const t = text("settings")

/** Events that this version has, with the right of those who hear of them. */
const events: ReadonlyArray<{ readonly key: NotificationSettingKey; readonly right?: UserRight }> = [
  { key: "newVideoFromSubscription" },
  { key: "newCommentOnMyVideo" },
  { key: "commentMention" },
  { key: "newFollow" },
  { key: "myVideoPublished" },
  { key: "myVideoImportFinished" },
  { key: "blacklistOnMyVideo" },
  { key: "abuseStateChange" },
  { key: "abuseNewMessage" },
  { key: "announcement" },
  { key: "abuseAsModerator", right: "MANAGE_ABUSES" },
  { key: "videoAutoBlacklistAsModerator", right: "MANAGE_VIDEO_BLACKLIST" },
  { key: "newUserRegistration", right: "MANAGE_REGISTRATIONS" },
  { key: "newInstanceFollower", right: "MANAGE_SERVER_FOLLOW" },
  { key: "autoInstanceFollowing", right: "MANAGE_SERVER_FOLLOW" }
]

/** What the user hears of, and how: a row for each event. */
export const Notifications = ({ user }: { readonly user: Me }) => {
  const settings = user.notificationSettings ?? {}
  const set = async (key: NotificationSettingKey, value: number): Promise<void> => {
    const answer = await call("PUT /api/v1/users/me/notification-settings", { body: { [key]: value } })
    if (answer.ok) await loadMe()
    else toast(failureWords(answer), "failed")
  }
  const shown = events.filter(({ key, right }) => key in settings && mayUse(right))
  return (
    <div class="card stack">
      <p class="lead">{t("notifyText")}</p>
      <table class="matrix">
        <thead>
          <tr>
            <th scope="col">{t("what")}</th>
            <th scope="col">{t("onWeb")}</th>
            <th scope="col">{t("byMail")}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ key }) => {
            const event = t("events", { key })
            const value = settings[key] ?? NotificationWay.none
            return (
              <tr key={key}>
                <th scope="row">{event}</th>
                {([NotificationWay.web, NotificationWay.mail] as const).map((way) => (
                  <td key={way}>
                    <label class="hit">
                      <span class="sr">
                        {t("both", { event, way: t(way === NotificationWay.web ? "onWeb" : "byMail") })}
                      </span>
                      <input
                        type="checkbox"
                        checked={(value & way) !== 0}
                        onChange={() => void set(key, value ^ way)}
                      />
                    </label>
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
