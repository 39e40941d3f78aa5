import { BOARDS } from '../../boards/registry.ts';
import { describeBoard } from './contract.ts';

for (const board of BOARDS) describeBoard(board);
