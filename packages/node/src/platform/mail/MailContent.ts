import type { Mail } from "./Mail.ts"

/** The content of a mail before layout. Everything in it is plain text, whatever users wrote into it. */
export interface MailContent {
  readonly subject: string
  readonly paragraphs: ReadonlyArray<string>
  /** What an administrator wrote, as it is read and as Markdown. */
  readonly letter?: { readonly text: string; readonly markdown: string }
  /** The one action: a URL of this instance and the label of its button. */
  readonly action?: { readonly label: string; readonly link: string }
  /** Text that somebody wrote, set apart from our own. Nothing is shown if it is empty. */
  readonly quote?: { readonly title: string; readonly text: string }
  readonly afterwards?: ReadonlyArray<string>
  /** URLs of this instance, in small print at the end. */
  readonly links?: ReadonlyArray<{ readonly label: string; readonly link: string }>
}

/** Values for the text in addition to the mail's own. */
export interface Sender {
  readonly name: string
  readonly origin: string
}

type Writers = {
  readonly [Kind in Mail["_tag"]]: (mail: Extract<Mail, { readonly _tag: Kind }>, sender: Sender) => MailContent
}

const notYou = "If this was not you, ignore this mail: nothing happens without the link."

const verify = (mail: { readonly link: string; readonly username: string }, sender: Sender): MailContent => ({
  subject: "Verify your e-mail address",
  paragraphs: [
    `Hello ${mail.username},`,
    `this address was given at ${sender.name} (${sender.origin}). Please confirm that it is yours.`
  ],
  action: { label: "Verify the address", link: mail.link },
  afterwards: ["The link is good for an hour.", notYou]
})

const writers: Writers = {
  VerifyEmail: verify,
  VerifyRegistration: verify,
  ResetPassword: (mail, sender) => ({
    subject: "Set a new password",
    paragraphs: [
      `Hello ${mail.username},`,
      `a new password was asked for, for your account at ${sender.name} (${sender.origin}).`
    ],
    action: { label: "Set a new password", link: mail.link },
    afterwards: ["The link is good for an hour and works once.", notYou]
  }),
  CreatePassword: (mail, sender) => ({
    subject: "Your account is ready: choose a password",
    paragraphs: [
      `Hello ${mail.username},`,
      `an administrator of ${sender.name} (${sender.origin}) made an account for you. Choose a password to use it.`
    ],
    action: { label: "Choose a password", link: mail.link },
    afterwards: ["The link is good for a week and works once."]
  }),
  RegistrationAccepted: (mail, sender) => ({
    subject: "Your registration was accepted",
    paragraphs: [
      `Hello ${mail.username},`,
      `welcome to ${sender.name}: your account is ready. Log in with the password you chose when you registered.`
    ],
    action: { label: "Log in", link: `${sender.origin}/login` },
    quote: { title: "The moderators say", text: mail.moderationResponse }
  }),
  RegistrationRejected: (mail, sender) => ({
    subject: "Your registration was not accepted",
    paragraphs: [`Hello ${mail.username},`, `the moderators of ${sender.name} did not accept your registration.`],
    quote: { title: "The moderators say", text: mail.moderationResponse }
  }),
  RegistrationRequested: (mail, sender) => ({
    subject: `${mail.username} asks for an account`,
    paragraphs: [`${mail.username} wants to register at ${sender.name}. A moderator has to accept or reject it.`],
    quote: { title: "The reason given", text: mail.reason },
    afterwards: [
      "Your app lists those who wait under moderation; over the API they are at " +
        `${sender.origin}/api/v1/users/registrations?stateOneOf=1, and docs/registration.md says how to decide.`
    ]
  }),
  UserBlocked: (mail, sender) => ({
    subject: "Your account was blocked",
    paragraphs: [`Hello ${mail.username},`, `your account at ${sender.name} was blocked by a moderator.`],
    quote: { title: "The reason given", text: mail.reason ?? "" }
  }),
  UserUnblocked: (mail, sender) => ({
    subject: "Your account is open again",
    paragraphs: [
      `Hello ${mail.username},`,
      `your account at ${sender.name} is no longer blocked. You can log in again.`
    ],
    action: { label: "Log in", link: `${sender.origin}/login` }
  }),
  LoginLockedOut: (mail, sender) => ({
    subject: "Too many wrong passwords",
    paragraphs: [
      `Hello ${mail.username},`,
      `somebody tried wrong passwords for your account at ${sender.name} too often` +
        (mail.ip === null ? "." : `, the last time from ${mail.ip}.`) +
        ` Logging in is refused for ${mail.minutes === 1 ? "a minute" : `${mail.minutes} minutes`}.`
    ],
    afterwards: [
      "If this was not you, your password was not found out. Choose a long one that you use nowhere else, and turn on two-factor authentication."
    ]
  }),
  PasswordChanged: (mail, sender) => ({
    subject: "Your password was changed",
    paragraphs: [
      `Hello ${mail.username},`,
      `the password of your account at ${sender.name} (${sender.origin}) was changed, and everybody who was logged in was logged out.`
    ],
    afterwards: ["If this was not you, ask for a new password at once and tell the moderators."]
  }),
  EmailChanged: (mail, sender) => ({
    subject: "Your e-mail address was changed",
    paragraphs: [
      `Hello ${mail.username},`,
      `your account at ${sender.name} (${sender.origin}) has another e-mail address now. Mail about it no longer comes here.`
    ],
    afterwards: ["If you did not ask for this, tell the moderators at once: somebody else may have your password."]
  }),
  UserExportReady: (mail, sender) => ({
    subject: "Your archive is ready",
    paragraphs: [
      `Hello ${mail.username},`,
      `the archive of your data at ${sender.name} is ready. Fetch it from the settings of your account.`
    ],
    action: { label: "Open your data", link: `${sender.origin}/my/settings?part=data` },
    afterwards: [`It is kept for ${mail.days === 1 ? "a day" : `${mail.days} days`}.`]
  }),
  UserImportFinished: (mail, sender) => ({
    subject: "Your archive was imported",
    paragraphs: [
      `Hello ${mail.username},`,
      `the archive you brought to ${sender.name} was imported. Videos are still being prepared.`,
      ...mail.results
    ],
    action: { label: "Open your data", link: `${sender.origin}/my/settings?part=data` }
  }),
  UserImportFailed: (mail, sender) => ({
    subject: "Your archive could not be imported",
    paragraphs: [`Hello ${mail.username},`, `the archive you brought to ${sender.name} could not be imported.`],
    quote: { title: "What went wrong", text: mail.reason },
    action: { label: "Open your data", link: `${sender.origin}/my/settings?part=data` }
  }),
  WebhookDisabled: (mail, sender) => ({
    subject: `Webhook ${mail.id} is inactive`,
    paragraphs: [
      `${sender.name} (${sender.origin}) sends nothing more to webhook ${mail.id}${mail.description === "" ? "" : ` (${mail.description})`}, ${mail.url}.`,
      mail.gone
        ? "Its address answered 410: the receiver wants no more messages."
        : "No message was delivered to it for five days.",
      "Messages that were waiting have failed. They can be sent again once the webhook is active."
    ],
    action: { label: "Open the webhook", link: `${sender.origin}/admin/webhooks/${mail.id}` },
    quote: { title: "The last error", text: mail.error ?? "" }
  }),
  Contact: (mail, sender) => ({
    subject: mail.subject === "" ? `${mail.fromName} wrote to you` : mail.subject,
    paragraphs: [
      `${mail.fromName} (${mail.fromEmail}) wrote this with the contact form of ${sender.name} (${sender.origin}).`,
      "Nobody has checked that the address is theirs. An answer to this mail goes there."
    ],
    quote: { title: "The message", text: mail.body }
  }),
  Announcement: (mail, sender) => ({
    subject: mail.subject,
    paragraphs: [],
    letter: { text: mail.text, markdown: mail.markdown },
    afterwards: [
      mail.unsubscribe === null
        ? `An administrator of ${sender.name} (${sender.origin}) wrote this to you.`
        : `An administrator of ${sender.name} (${sender.origin}) wrote this to its users.`
    ],
    links: mail.unsubscribe === null ? [] : [{ label: "No more mails of this kind", link: mail.unsubscribe }]
  }),
  Test: (_, sender) => ({
    subject: "Test mail",
    paragraphs: [`This is a test: mail from ${sender.name} (${sender.origin}) reaches you.`]
  })
}

/** The text of a mail. The compiler checks that every kind has one. */
export const contentOf = (mail: Mail, sender: Sender): MailContent =>
  (writers[mail._tag] as (mail: Mail, sender: Sender) => MailContent)(mail, sender)
