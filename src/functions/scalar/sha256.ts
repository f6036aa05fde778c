import type { ScalarFunction } from '../../expr/function.js';
import { shaFunction } from '../support/sha-function.js';

export const sha256: ScalarFunction = shaFunction('sha256', 'ba7816bf');
