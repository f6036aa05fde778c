"""Cuts <folder>/1.parquet into <folder>/1.parquet … n.parquet with rows shared out in order, at most one file per row.

Usage: split-parquet.py <folder>/1.parquet <files>
"""

import os
import sys

import pyarrow.parquet as parquet

source, files = sys.argv[1], int(sys.argv[2])
table = parquet.read_table(source)
files = min(files, table.num_rows)
folder = os.path.dirname(source)
for index in range(files):
    start = index * table.num_rows // files
    end = (index + 1) * table.num_rows // files
    target = os.path.join(folder, f"{index + 1}.parquet.new")
    parquet.write_table(table.slice(start, end - start), target, compression="snappy", store_schema=False, write_page_index=True)
os.remove(source)
for index in range(files):
    target = os.path.join(folder, f"{index + 1}.parquet")
    os.rename(f"{target}.new", target)
