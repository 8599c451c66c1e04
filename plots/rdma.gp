# rdma.gp: what the figures of blocks over MPI and between GPUs share. See README.md.
#
# A path looks the same in every figure: its line style stands at its place in the list. Dashed are those that differ
# from another one only in the host memory that they pass, or in what carries the chunks.
paths = 'host host-pageable host-pinned staged-pageable staged pipelined pipelined-shared cuda-aware peer-copy ' \
    . 'peer-store nccl limit'
path_lines = '7 27 7 21 1 3 23 2 4 5 6 8'
path_line(v) = int(word(path_lines, place_in(paths, v)))
path_title(v) = v eq 'limit' ? 'limit: peer copy' : v
path_order = "instr('" . paths . " ', variant || ' ')"
# Those of the rows of an experiment that `where` names; key entries without data would take room.
paths_of(experiment, where) = fetch('SELECT variant FROM ' . experiment . '_median WHERE ' . where \
    . ' GROUP BY 1 ORDER BY ' . path_order)
# The rows of a path.
block_path(experiment, v) = series(experiment, 'block_elements', "variant = '" . v . "'")
# Between two GPUs: what names the rows of a mode (latency, bandwidth, both), and the axis of block sizes.
between_gpus(mode) = sprintf("pair = 'D D' AND stress = 0 AND mode = '%s'", mode)
gpu_sizes = "low = fetch('SELECT 0.6 * min(bytes) FROM rdma_pingpong_median');high = fetch('SELECT 1.6 * max(bytes) " \
    . "FROM rdma_pingpong_median');" . bytes_x
# Copies per block as bars, by path, those between two nodes first; of both ends, with `roles` peers 1 the sender, 2 the
# receiver, with server 1 the server, 2 the worker in a GET, 3 the worker, 4 the server in a PUT. @copy_axes wants
# `roles`; copy_bars(roles, k) gives place, copies and their number as text. The server's block is where it is in
# rdma_get.
copy_runs = '(' . fetch("SELECT group_concat('SELECT * FROM ' || id, ' UNION ALL ') FROM experiments WHERE status <> " \
    . "'WAIVED' AND program = 'rdma_copies'") . ')'
counted(roles) = "(SELECT *, pair IN ('D H', 'D P') AS put, dense_rank() OVER (ORDER BY nodes DESC, " . path_order \
    . ') AS place FROM (SELECT variant, nodes, pair, median(sender_copies) AS sender, median(receiver_copies) AS ' \
    . 'receiver, ' . "row_number() OVER (PARTITION BY variant, nodes, pair IN ('D H', 'D P') ORDER BY (instr(pair, " \
    . "'P') > 0) <> (variant = 'pipelined-shared')) AS nth FROM " . copy_runs . " WHERE status = 'pass' AND roles = " \
    . "'" . roles . "' GROUP BY variant, nodes, pair) WHERE nth = 1)"
copy_bars(roles, k) = pick("place, copies, printf('%g', round(copies, 1))", '(SELECT place, 1 + 2 * put AS side, ' \
    . 'sender AS copies FROM ' . counted(roles) . ' UNION ALL SELECT place, 2 + 2 * put, receiver FROM ' \
    . '' . '' . counted(roles) . ')', sprintf('side = %d', k))
copy_axes = "groups = fetch('SELECT variant FROM ' . counted(roles) . ' GROUP BY place ORDER BY place');" . groups_x \
    . "; set ylabel 'copies per block'; set ytics 1; set offsets graph 0, graph 0, graph 0.12, graph 0; set key " \
    . "maxrows 1;apart = number('SELECT count(DISTINCT place) FROM ' . counted(roles) . ' WHERE nodes = 2'); if " \
    . "(apart > 0) {set arrow from first apart+0.5, graph 0 to first apart+0.5, graph 1 nohead linestyle 10;set " \
    . "label 'two nodes' at first apart+0.4, graph 0.95 right; set label 'one node' at first apart+0.6, graph 0.95 " \
    . "left }"
