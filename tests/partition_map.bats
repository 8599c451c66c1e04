# partition-map on short hand-written texts, each with one change: what it makes of the change. Needs neither clang nor Polly.

load helper

setup() {
    map=${PARTITION_MAP:-$bin/../partition/partition-map}
    verdicts=$bin/partition_verdicts
    [ -x "$map" ] || skip "there is no partition-map: it needs libisl"
    cd "$BATS_TEST_TMPDIR" || exit 1
    write_copy
}

# out[x] = in[x] for x < n.
write_copy() {
    echo "kernel copy coordinates gx" >coordinates
    cat >ir <<'TEXT'
@table = dso_local addrspace(4) externally_initialized global [8 x float] zeroinitializer, align 4
@state = dso_local addrspace(1) externally_initialized global [8 x float] zeroinitializer, align 4
define dso_local void @copy(float* noalias noundef %in, float* noalias noundef %out, i32 noundef %n) #0 {
  %0 = load float, float* %arrayidx, align 4
  store float %0, float* %arrayidx2, align 4
  ret void
}
TEXT
    cat >scops <<'TEXT'
    Function: copy
    Region: %entry---%ret
    Invariant Accesses: {
    }
    Context:
    [n, launch_size_x] -> {  : -2147483648 <= n <= 2147483647 }
    Assumed Context:
    [n, launch_size_x] -> {  :  }
    Invalid Context:
    [n, launch_size_x] -> {  : false }
    p0: %n
    p1: %launch_size_x
    Arrays (Bounds as pw_affs) {
        float MemRef_in[*]; // Element size 4
        float MemRef_out[*]; // Element size 4
    }
    Statements {
        Stmt_body
            Domain :=
                [n, launch_size_x] -> { Stmt_body[i0] : 0 <= i0 < launch_size_x and i0 < n };
            ReadAccess :=	[Reduction Type: NONE] [Scalar: 0]
                [n, launch_size_x] -> { Stmt_body[i0] -> MemRef_in[i0] };
            MustWriteAccess :=	[Reduction Type: NONE] [Scalar: 0]
                [n, launch_size_x] -> { Stmt_body[i0] -> MemRef_out[i0] };
    }
TEXT
}

# A kernel with rows: out[y][x] = in[y - 1][x] + in[y + 1][x], row-major, n columns.
write_rows() {
    write_copy
    sed -i 's/ gx/ gy gx/' coordinates
    sed -i 's/^  store/  %1 = load float, float* %arrayidx1, align 4\n&/' ir
    sed -i -e 's/\[\*\];/[*][ [n] -> { [] -> [(n)] } ];/' -e 's/launch_size_x\] ->/launch_size_x, launch_size_y] ->/' \
        -e 's/Stmt_body\[i0\]/Stmt_body[i0, i1]/' -e 's/0 <= i0 < launch_size_x and i0 < n/0 <= i1 < launch_size_x and i1 < n and 0 < i0 < launch_size_y/' \
        -e 's/MemRef_out\[i0\]/MemRef_out[i0, i1]/' -e 's/^    p1: .*/&\n    p2: %launch_size_y/' scops
    sed -i -e '/ReadAccess/{h;n;s/MemRef_in\[i0\]/MemRef_in[i0 - 1, i1]/;p;x;p;x;s/i0 - 1/i0 + 1/}' scops
}

run_map() {
    status=0
    output=$("$map" "$@" source/copy.cu coordinates scops ir 2>stderr) || status=$?
    stderr=$(cat stderr)
}

# $1: file, $2: change by sed; checks that the change was one.
change() {
    cp "$1" "$1.before"
    sed -i -e "$2" "$1"
    ! cmp -s "$1" "$1.before"
}

has_line() {
    grep -qxF -- "$1" <<<"$output" || {
        echo "no line \`$1\` in:"
        echo "$output"
        return 1
    }
}

@test "the data base of a copy, line by line" {
    run_map
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    diff - <(echo "$output") <<'TEXT'
datamotion-partition 1
kernel copy
 source copy.cu
 coordinates gx
 split x
 invalid {  : false }
 argument 0
  name in
  type float*
  bits 0
  element_bits 32
  fundamental f
  dims 1
  level 1
  read [n, launch_size_x] -> { [gx] -> in[gx] : 0 <= gx < launch_size_x and gx < n }
  read_access [n, launch_size_x] -> { [gx] -> in[gx] : 0 <= gx < launch_size_x and gx < n }
  read_domain_dims 1
  read_pattern launch_size_x,n
 argument 1
  name out
  type float*
  bits 0
  element_bits 32
  fundamental f
  dims 1
  level 1
  write [n, launch_size_x] -> { [gx] -> out[gx] : 0 <= gx < launch_size_x and gx < n }
  write_access [n, launch_size_x] -> { [gx] -> out[gx] : 0 <= gx < launch_size_x and gx < n }
  write_domain_dims 1
  write_pattern launch_size_x,n
  injective yes
 argument 2
  name n
  type i32
  bits 32
  element_bits 0
  fundamental i
  dims 0
  level 0
 end
TEXT
}

@test "the split goes along the dimension that communicates least" {
    write_rows
    run_map
    has_line " split x" # columns need nothing of one another
    has_line "  sizes [n] -> { [] -> [(n)] }"
    change scops 's/MemRef_in\[i0 \([-+]\) 1, i1\]/MemRef_in[i0, i1 \1 1]/'
    run_map
    has_line " split y"
    run_map --split x
    has_line " split x"
    run_map --split z # not a dimension of this kernel
    has_line " split y"
    change scops 's/MemRef_in\[i0, i1 [-+] 1\]/MemRef_in[i0, i1]/'
    run_map # nothing is read twice either way: whole rows are fewer copies
    has_line " split y"
    change scops 's/MemRef_out\[i0, i1\]/MemRef_out[0, i1]/'
    run_map # rows of threads write the same element
    has_line " split x"
    has_line "  injective no"
    change scops 's/MemRef_out\[0, i1\]/MemRef_out[0, 0]/'
    run_map
    has_line " split -"
}

@test "a bound that holds products is evaluated at launch" {
    write_copy
    change coordinates 's/$/\natmost copy 2147483647 (launch_size_x * n)/'
    run_map
    has_line " define bound_0 = (launch_size_x * n)"
    grep -q '^ invalid .*bound_0 >= 2147483648' <<<"$output"
}

@test "what may be written is read as well" {
    write_copy
    change scops 's/MustWrite/MayWrite/'
    run_map
    has_line "  may_write yes"
    # Of two arguments one is written and both are read.
    [ "$(grep -c '^  read ' <<<"$output")" -eq 2 ]
    [ "$(grep -c '^  write ' <<<"$output")" -eq 1 ]
}

@test "what a kernel touches is in the data base, also of a refused one" {
    write_copy
    change coordinates 's/$/\ntouches copy rw-/'
    run_map
    has_line "touches copy rw-"
    change scops 's/MemRef_out.i0. }/MemRef_out[o0] }/'
    run_map
    has_line "touches copy rw-"
}

@test "what cannot be split is refused with its reason" {
    local rename='s/\([^%a-z]\)n\([^a-z]\)/\1p_0\2/g;s/i0 < n/i0 < p_0/' # Polly names them so
    while IFS='|' read -r file script expected; do
        write_copy
        if [[ $script == *@ ]]; then
            script=${script%@}$rename
        fi
        change "$file" "$script"
        run_map
        echo "$file $script: $status, $output $stderr"
        [ "$status" -eq 0 ]
        [ "$(grep -vc '^numbers ' <<<"$output")" -eq 2 ] # the header, the refusal
        [[ $output == *"refused copy $expected"* ]]
    done <<'CASES'
scops|s/MemRef_out.i0. }/MemRef_out[o0] }/|writes out at an index that is not an affine function
scops|s/MemRef_out.i0. }/MemRef_other[i0] }/|writes other, which is no argument
scops|s/MemRef_in.i0. }/MemRef_other[i0] }/|reads other, which is no argument
scops|s/MemRef_in.i0. }/MemRef0[i0] }/|reads memory without a name
scops|s/p0: .*/p0: {0,+,1}<%entry>/;@|what it writes of out depends on {0,+,1}<%entry>
scops|s/p0: .*/p0: (%n \/u 2)/;@|what it writes of out depends on (%n /u 2)
scops|s/p0: .*/p0: %launch_unknown3/;@|what it writes of out depends on %launch_unknown3
scops|s/Stmt_body.i0./Stmt_body[]/;s/: 0 <= i0.*}/}/;s/MemRef_\(.*\)\[i0\]/MemRef_\1[0]/|some of its control flow depends on data
scops|1{h;};${p;x;}|Polly sees more than one part
scops|d|Polly sees no affine loops in it
scops|/ReadAccess/,+1d|only 1 of its 2 loads and stores
scops|s/MemRef_in.i0. }/MemRef_in[0, i0] }/|accesses in as arrays of different numbers of dimensions
ir|s/%0 = load.*/%0 = load float*, float** %p/|loads a pointer from memory
ir|s/%0 = load.*/&\n  %1 = inttoptr i64 %2 to float*/|makes a pointer from an integer
ir|s/%0 = load.*/&\n  %1 = phi float* [ %a, %b ], [ %c, %d ]/|chooses a pointer at run time
ir|s/%0 = load float, float\*/%0 = load float, float* getelementptr (@state)/|uses the __device__ variable state
ir|s/i32 noundef %n/%struct.s* byval(%struct.s) align 4 %n/|argument n is a structure passed by value
ir|s/i32 noundef %n/<4 x float> %n/|argument n has the type <4 x float>
ir|s/i32 noundef %n/i32 %out/|two arguments are called out
ir|s/i32 noundef %n/float %n/|what it writes of out depends on %n
coordinates|s/.*/refused copy atomic function atomicAdd/|atomic function atomicAdd
scops|s/p0: .*/p0: (2 * %n)/|argument n has a name that the analysis uses itself
CASES
}

@test "a grid-stride loop is named" {
    : >scops
    sed -i 's/^  ret void/  %next = add i64 %i, %size\n  %i = phi i64 [ 0, %a ], [ %next, %b ]\n&/' ir
    run_map
    [[ $output != *"grid-stride"* ]]
    sed -i 's/^  %next/  %product = mul i32 %launch_grid_x, %launch_block_x\n  %size = sext i32 %product to i64\n&/' ir
    run_map
    [[ $output == *"refused copy grid-stride loop"* ]]
}

@test "reads that are not known in full are taken as reads of everything" {
    change scops 's/MemRef_in.i0. }/MemRef_in[o0] }/'
    run_map
    has_line "  read whole the index is not an affine function of thread indices and scalars"
    has_line "  read_pattern -"
    [[ $output != *read_access* ]]
}

@test "memory of the thread and constants may be used" {
    change ir 's/%0 = load float, float\*/%0 = load float, float* addrspacecast (@table)/'
    change scops 's/MemRef_in.i0. }/MemRef0[i0] }/'
    run_map
    has_line "kernel copy"
    write_copy
    change ir 's/%0 = load/%launch_local = alloca [3 x float]\n  &/'
    change scops 's/MemRef_in.i0. }/MemRef_launch_local[i0] }/'
    run_map
    has_line "kernel copy"
}

@test "parameters may be expressions of arguments" {
    while IFS='|' read -r expression expected; do
        write_copy
        change scops "s/p0: .*/p0: $expression/; s/\\([^%a-z]\\)n\\([^a-z]\\)/\\1p_0\\2/g; s/i0 < n/i0 < p_0/"
        change ir 's/i32 noundef %n/i32 noundef %nx, i32 noundef %ny/'
        run_map
        echo "$expression: $output $stderr"
        has_line " define p_0 = $expected"
        has_line "  write_pattern launch_size_x,p_0"
        has_line " split x"
    done <<'CASES'
(%nx * %ny)<nsw>|(nx * ny)
(-1 + (2 * (sext i32 %nx to i64))<nsw>)<nsw>|(-1 + (2 * nx))
((sext i32 %nx to i64) * (sext i32 %ny to i64))<nsw>|(nx * ny)
((1 + (sext i32 %nx to i64))<nsw> * (2 + (sext i32 %ny to i64))<nsw>)|((1 + nx) * (2 + ny))
(%launch_block_x * %launch_grid_x)|(launch_block_x * launch_grid_x)
CASES
}

@test "expressions must be within their types, as the kernel's wrap where the data base's do not" {
    while IFS='|' read -r expression invalid; do
        write_copy
        change scops "s/p0: .*/p0: $expression/; s/\\([^%a-z]\\)n\\([^a-z]\\)/\\1p_0\\2/g; s/i0 < n/i0 < p_0/"
        change ir 's/i32 noundef %n/i32 noundef %nx, i32 noundef %ny/'
        run_map
        echo "$expression: $output $stderr"
        has_line " invalid $invalid"
    done <<'CASES'
(%nx * %ny)|[p_0] -> {  : p_0 <= -2147483649 or p_0 >= 2147483648 }
(%nx * %ny)<nsw>|{  : false }
((sext i32 %nx to i64) * (sext i32 %ny to i64))|{  : false }
(2 * (sext i32 (%nx * %ny) to i64))|[p_0_1] -> {  : p_0_1 <= -2147483649 or p_0_1 >= 2147483648 }
(2 * (sext i32 (1 + %nx)<nsw> to i64))|{  : false }
CASES
    has_line " define p_0_1 = (1 + nx)"
}

@test "assumptions are kept: Polly's and those of the loops around the kernel" {
    change scops '/Invalid Context/{n;s/false/n > 1000/}'
    run_map
    has_line " invalid [n] -> {  : n >= 1001 }"
    change scops '/Assumed Context/{n;s/:  }/: n > 9 }/}'
    run_map
    has_line " invalid [n] -> {  : n <= 9 or n >= 1001 }"
    write_copy
    echo "nonnegative copy (n - 2)" >>coordinates
    run_map
    has_line " invalid [n] -> {  : n <= 1 }"
}

# $1: coordinates, $2: what is written, of an array without rows; $3: by which threads; prints yes or no.
injective() {
    write_copy
    local loops=${1// /, }
    echo "kernel copy coordinates $1" >coordinates
    sed -i -e 's/launch_size_x\] ->/launch_size_x, launch_block_x, launch_grid_x] ->/' -e "s/Stmt_body\\[i0\\]/Stmt_body[$loops]/" \
        -e "s/: 0 <= i0.*}/: $3 }/" -e "s/MemRef_\\(.*\\)\\[i0\\]/MemRef_\\1[$2]/" \
        -e 's/^    p1: .*/&\n    p2: %launch_block_x\n    p3: %launch_grid_x/' scops
    "$map" copy.cu coordinates scops ir | sed -n 's/^  injective //p'
}

@test "injectivity: of threads in the grid and in blocks, for every size of blocks" {
    [ "$(injective gx "2gx + 5" "0 <= gx < launch_size_x")" = yes ]
    [ "$(injective gx "n" "0 <= gx < launch_size_x")" = no ]
    local blocks="0 <= bx < launch_grid_x and 0 <= tx < launch_block_x" all
    all="0 <= ox < launch_size_x and $blocks"
    [ "$(injective "ox bx tx" "ox + tx" "$all")" = yes ]
    [ "$(injective "ox bx tx" "bx" "$all and tx = 0")" = yes ]
    [ "$(injective "ox bx tx" "bx" "$all")" = no ]
    [ "$(injective "bx tx" "16bx + tx" "$blocks")" = no ] # a block may have more than 16 threads
    [ "$(injective "bx tx" "16bx + tx" "$blocks and tx < 16")" = yes ]
    [ "$(injective "tx" "tx" "0 <= tx < launch_block_x")" = no ] # of every block
}

@test "rows must not overlap in injective writes" {
    write_rows
    run_map
    has_line "  injective yes"
    change scops 's/i1 < n and//'
    run_map
    has_line "  injective no"
}

@test "types of arguments" {
    while IFS='|' read -r type expected; do
        write_copy
        sed -i "s/i32 noundef %n/i32 noundef %n, $type noundef %extra/" ir
        run_map
        [ "$(grep -A 6 '^  name extra' <<<"$output" | sed 1d | awk '{ print $NF }' | paste -sd ' ')" = "$expected" ]
    done <<'CASES'
double|double 64 0 d 0 0
i1|i1 8 0 i 0 0
i64|i64 64 0 i 0 0
half*|half* 0 16 h 1 1
i8 addrspace(1)*|addrspace(1)* 0 8 i 1 1
float**|float** 0 64 i 1 2
[16 x float]*|float]* 0 0 i 1 1
CASES
}

@test "bad input ends with exit 1 and one sentence" {
    while IFS='|' read -r file script expected; do
        write_copy
        change "$file" "$script"
        run_map
        echo "$file $script: $status, $output $stderr"
        [ "$status" -eq 1 ]
        [ -z "$output" ]
        [[ $(tail -n 1 <<<"$stderr") == "partition-map: "*"$expected"* ]]
    done <<'CASES'
coordinates|s/kernel/colonel/|coordinates, line 1: expected
coordinates|s/gx/gw/|coordinates, line 1: expected
coordinates|s/.*/&\n&/|coordinates, line 2: expected
coordinates|s/.*/&\nnonnegative other n/|coordinates, line 2: expected
coordinates|s/.*/&\natmost other 5 n/|coordinates, line 2: expected
coordinates|s/.*/&\natmost copy n/|coordinates, line 2: expected
coordinates|s/.*/&\ntouches other rw-/|coordinates, line 2: expected
coordinates|s/.*/&\ntouches copy rwx/|coordinates, line 2: expected
coordinates|s/.*/&\nnonnegative copy n +/|coordinates, line 2: expected
ir|s/@copy/@other/|ir defines 0 of the 1 kernels
scops|/Domain/q|scops ends within a scop
scops|s/p0:/p7:/|no such parameter
scops|s/-> MemRef_in.*/->/|expected an access
scops|s/Stmt_body.i0. -> MemRef_in/Stmt_other[i0] -> MemRef_in/|does not fit its statement
scops|/Invalid/{n;s/.*/rubbish/}|expected a set
scops|/Invalid/{n;s/.*/{ [i] : i = 0 }/}|an assumption is no set of parameters
ir|s/float/\x00/|is not a text
CASES
    write_copy
    rm scops
    run_map
    [ "$status" -eq 1 ]
    [ "$stderr" = "partition-map: scops: No such file or directory" ]
    run_map --split w
    [ "$stderr" = "partition-map: --split: \`w\` is none of x, y, z" ]
    run "$map" one two
    [ "$status" -eq 1 ]
}

@test "partition_verdicts lists kernels and keys" {
    [ -x "$verdicts" ] || skip "there is no partition_verdicts"
    run_map
    echo "$output" >good.db
    change scops 's/MemRef_out.i0. }/MemRef_out[o0] }/'
    run_map
    echo "$output" >bad.db
    "$verdicts" --databases good.db,bad.db -n 2 -w 0 --csv >table.csv
    [ "$(cut -d, -f 2,9,10,13,19 table.csv | sed 1d)" = "$(printf '%s\n' analysed,copy,good,1,x analysed,copy,good,1,x)
$(cut -d, -f 2,9,10,13,19 table.csv | grep refused)" ]
    [ "$(grep -c '^partition_verdicts,refused,.*writes out at an index' table.csv)" -eq 2 ]
    "$verdicts" --databases good.db --dump --csv >dump.csv
    grep -q ',out,element size,.*,32,,0,pass' dump.csv
    grep -q ',copy,good,-,kernel partitioning,.*,x,,0,pass' dump.csv
    [ "$(grep -c pass dump.csv)" -eq 41 ]
}

@test "partition_verdicts refuses what is no data base" {
    [ -x "$verdicts" ] || skip "there is no partition_verdicts"
    echo rubbish >rubbish.db
    run "$verdicts" --databases rubbish.db
    [ "$status" -eq 1 ]
    [[ $output == *"RESULT: FAIL"*"rubbish.db is no data base"* ]]
    run "$verdicts" --databases missing.db
    [ "$status" -eq 1 ]
    [[ $output == *"missing.db cannot be opened"* ]]
}
