import type { Mail } from "../../../src/platform/mail/Mail.ts"

const to = "ada@example.com"
const link = "https://video.example/verify-account/email?userId=1&verificationString=secret-token-of-the-test"
const username = "ada"

/** One mail of each kind. */
export const sampleMails: { readonly [Kind in Mail["_tag"]]: Extract<Mail, { readonly _tag: Kind }> } = {
  VerifyEmail: { _tag: "VerifyEmail", to, link, username },
  VerifyRegistration: { _tag: "VerifyRegistration", to, link, username },
  ResetPassword: { _tag: "ResetPassword", to, link, username },
  CreatePassword: { _tag: "CreatePassword", to, link, username },
  RegistrationAccepted: { _tag: "RegistrationAccepted", to, username, moderationResponse: "Welcome <b>in</b>!" },
  RegistrationRejected: { _tag: "RegistrationRejected", to, username, moderationResponse: "Sorry,\nno <i>room</i>." },
  RegistrationRequested: { _tag: "RegistrationRequested", to, username, reason: `<script>alert("hi")</script>` },
  UserBlocked: { _tag: "UserBlocked", to, username, reason: "Spam & more" },
  UserUnblocked: { _tag: "UserUnblocked", to, username },
  LoginLockedOut: { _tag: "LoginLockedOut", to, username, ip: "192.0.2.7", minutes: 10 },
  PasswordChanged: { _tag: "PasswordChanged", to, username },
  EmailChanged: { _tag: "EmailChanged", to, username },
  UserExportReady: { _tag: "UserExportReady", to: "ada@example.com", username: "ada", days: 2 },
  UserImportFinished: {
    _tag: "UserImportFinished",
    to: "ada@example.com",
    username: "ada",
    results: ["Videos: 3 imported, 1 already there"]
  },
  UserImportFailed: {
    _tag: "UserImportFailed",
    to: "ada@example.com",
    username: "ada",
    reason: "The file is not a zip archive"
  },
  WebhookDisabled: {
    _tag: "WebhookDisabled",
    to,
    id: 3,
    url: "https://receiver.example/hook",
    description: "A bot <b>",
    gone: false,
    error: "The receiver answered 500."
  },
  Contact: {
    _tag: "Contact",
    to,
    fromName: "Bob <b>",
    fromEmail: "bob@example.com",
    subject: "A question",
    body: "Hello,\n<i>may</i> I ask?"
  },
  Announcement: {
    _tag: "Announcement",
    to,
    subject: "News",
    text: "Hello **ada**",
    markdown: "Hello **ada** <script>alert(1)</script>",
    unsubscribe: "http://127.0.0.1:9000/unsubscribe?token=x"
  },
  Test: { _tag: "Test", to }
}
