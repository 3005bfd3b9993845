import { noticesFaults } from "./seeded-faults.js";

await noticesFaults(2);
