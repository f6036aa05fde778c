import type { ScalarFunction } from '../../expr/function.js';
import { shaFunction } from '../support/sha-function.js';

export const sha384: ScalarFunction = shaFunction('sha384', 'cb00753f');
