import { read } from "../api/StoredSession.ts"

/** Whether somebody is logged in in this browser, for the player. */
export const isLoggedIn = (): boolean => read() !== undefined
