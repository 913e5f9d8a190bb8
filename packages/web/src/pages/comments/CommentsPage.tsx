import { Comments } from "./Comments.tsx"

/** What people write below the user's videos. */
export const Page = () => <Comments by="users/me" />
