# tuner_examples, tuner_convergence: the two kernels of tuner/kernels with all their configurations, and searches replayed on them.

load helper

setup() {
    need_program tuner_examples
    cd "$scratch" || exit 1
}

# A table as tuner_examples makes it: time 1 at work_x 8, depth 16, more elsewhere; some configurations failed.
write_table() {
    awk 'BEGIN { print "experiment,variant,gpu,host,rank,ranks,gpus,rep,size,block_x,work_x,depth,outcome,rate_gflops,spread_s,time_s,errors,status"
        for (b = 8; b <= 64; b *= 2) for (w = 1; w <= 16; w *= 2) for (d = 4; d <= 32; d *= 2)
            print "e,matmul,soft,h,0,1,1,0,64," b "," w "," d (b == 64 && w == 16 ? ",invalid,,,," : ",ok,1,0," \
                1 + ((w - 8) ^ 2 + (d - 16) ^ 2) / 100 + b / 1000 ",") "0,pass" }'
}

@test "configurations of both kernels are compiled, checked and measured" {
    run_apart "$bin/tuner_examples" --csv --n 64 --configurations 2 -n 1 --jobs 2 --seed 5
    all_right 4
    [ "$(column variant "" outcome ok | paste -sd ' ')" = "matmul matmul stencil stencil" ]
    holds 'c["size"] == 64 && c["block_x"] > 0 && c["time_s"] > 0 && c["rate_gflops"] > 0'
    holds '(c["variant"] == "matmul") == (c["depth"] > 0) && (c["variant"] == "stencil") == (c["planes"] > 0)'
    cp -r "$BATS_TEST_DIRNAME/../tuner/kernels" mine
    sed -i 's/^grid/grit/' mine/matmul.launch
    refuses "matmul.launch: a launch has no \`grit\`" "$bin/tuner_examples" --n 64 --folder mine
    refuses "none/matmul.space: No such file" "$bin/tuner_examples" --folder none
    refuses "device 0 alone" env SOFTGPU_DEVICES=2 "$bin/tuner_examples" --n 64 -d 1
}

@test "convergence: more trials find no less, and all of them everything" {
    write_table >table.csv
    run_apart "$bin/tuner_convergence" --csv --sweep table.csv --benchmarks matmul --variants random,local,auto --trials 5,20,80 --searches 6
    all_right 9
    for variant in random local auto; do
        column best_p05 "$variant" >found
        sort -g -c found
        [ "$(tail -n 1 found)" = 1 ]
    done
    refuses_all <<'TABLE'
tuner_convergence||--sweep FILE is missing
tuner_convergence|--sweep none.csv|none.csv: No such file
tuner_convergence|--sweep table.csv --benchmarks stencil|no rows
TABLE
}

@test "the public tuner's searches are those of its program, and it is waived without it" {
    write_table >table.csv
    run_apart "$bin/tuner_convergence" --csv --sweep table.csv --benchmarks matmul --variants kernel-tuner --python none-such
    [[ $status -eq 2 && $output == *waived* ]]
    # Stands in for Python with Kernel Tuner: two searches of one strategy, and one that fails.
    printf '%s\n' '#!/bin/sh' 'echo one 0.5 1 0.25; echo one 0.25 0.75 0.75; echo other: it broke; echo other: it broke' >python
    chmod +x python
    run_apart "$bin/tuner_convergence" --csv --sweep table.csv --benchmarks matmul --variants kernel-tuner --python ./python --trials 5,10 --searches 2 \
        --strategies one,other
    [ "$status" -eq 0 ]
    [ "$(columns strategy trials best_median time_s | paste -sd ,)" = "one 5 0.375 0.5,one 10 0.875 0.5,   " ]
}
