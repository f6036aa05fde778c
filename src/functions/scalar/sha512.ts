import type { ScalarFunction } from '../../expr/function.js';
import { shaFunction } from '../support/sha-function.js';

export const sha512: ScalarFunction = shaFunction('sha512', 'ddaf35a1');
