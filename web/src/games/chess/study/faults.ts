import { t } from "../../../i18n/index.ts";
import type { Fault } from "./rules.ts";

/** What is wrong with a position or a text, in words. */
export const faultWords = (fault: Fault | "pgn"): string => t(`edit.fault.${fault}`);
