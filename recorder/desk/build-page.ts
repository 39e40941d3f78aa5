/** Builds the page of the desk into `dist/desk`: what `npm run build:desk` runs. */
import { findPage } from './page-files.ts';

process.stdout.write(`${await findPage()}\n`);
