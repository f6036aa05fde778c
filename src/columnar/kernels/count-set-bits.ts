/**
 * How many of the first `bitCount` bits at `address` are set (LSB first, as Arrow's validity bitmaps).
 * The bytes past the last whole byte are read only when `bitCount` is not a multiple of 8.
 */
export function countSetBits(address: usize, bitCount: usize): u32 {
  let count: u64 = 0;
  const wordsEnd = address + ((bitCount >> 6) << 3);
  let at = address;
  for (; at < wordsEnd; at += 8) count += popcnt<u64>(load<u64>(at));
  const bytesEnd = address + (bitCount >> 3);
  for (; at < bytesEnd; at += 1) count += popcnt<u32>(load<u8>(at) as u32) as u64;
  const rest = (bitCount & 7) as u32;
  if (rest != 0) count += popcnt<u32>((load<u8>(at) as u32) & ((1 << rest) - 1)) as u64;
  return count as u32;
}
