# rules.awk: make rules from plot files (one path a line) and checked manifest rows (see manifest.awk).

NF == 1 {
    name = $1
    sub(/.*\//, "", name)
    sub(/\.[a-z]+$/, "", name)
    plot[name] = $1
    figure[++figures] = name
    known[name] = 1
}

NF > 1 {
    id[++ids] = $1
    program[$1] = $3
    n = $13 == "-" ? 0 : split($13, fed, ",")
    for (i = 1; i <= n; i++) {
        if (!(fed[i] in known)) {
            known[fed[i]] = 1
            figure[++figures] = fed[i]
        }
        feeds[fed[i]] = feeds[fed[i]] " " $1
    }
    n = split($4 " " $5 " " $6, word, " ")
    for (i = 1; i <= n; i++)
        if (word[i] ~ /^@/ && !index(reads[$1] " ", " " substr(word[i], 2) " "))
            reads[$1] = reads[$1] " " substr(word[i], 2)
}

function csv_names(list,    parts, n, i, text) {
    n = split(list, parts, " ")
    for (i = 1; i <= n; i++)
        text = text " $(RESULTS)/" parts[i] ".csv"
    return text
}

function target_of(name) {
    return plot[name] ~ /\.sql$/ ? "$(RESULTS)/tables/" name ".txt" : "$(RESULTS)/figures/" name ".svg"
}

function print_variables(    i, csvs, svgs, texts) {
    for (i = 1; i <= ids; i++)
        csvs = csvs " $(RESULTS)/" id[i] ".csv"
    for (i = 1; i <= figures; i++)
        if (!(figure[i] in plot))
            continue
        else if (plot[figure[i]] ~ /\.sql$/)
            texts = texts " " target_of(figure[i])
        else
            svgs = svgs " " target_of(figure[i])
    print "EXPERIMENT_CSVS :=" csvs
    print "FIGURE_FILES :=" svgs
    print "TABLE_FILES :=" texts
}

# Where nothing is measured, a figure depends on the files that are there, packed or not.
function print_experiments(    i) {
    print "ifeq ($(MEASURE),1)"
    for (i = 1; i <= ids; i++) {
        print "$(RESULTS)/" id[i] ".csv: $(filter-out $(LEFT_OUT),$(BIN)/" program[id[i]] ") $(RESULTS)/.settings" csv_names(reads[id[i]])
        print "\t$(Q)run/experiment " id[i]
        print id[i] ": $(RESULTS)/" id[i] ".csv"
    }
    print "else"
    for (i = 1; i <= ids; i++)
        print id[i] ":\n\t@echo \"$(RESULTS) is a recorded machine, or MEASURE is 0: " id[i] " is not measured\""
    print "endif"
    for (i = 1; i <= ids; i++)
        print ".PHONY: " id[i]
}

function print_figure(name,    csvs) {
    csvs = csv_names(feeds[name])
    print ".PHONY: " name
    if (!(name in plot)) {
        print name ":" feeds[name]
        return
    }
    print name ": " target_of(name)
    print target_of(name) ": " plot[name] (plot[name] ~ /\.gp$/ ? " plots/style.gp" : "")
    if (csvs != "") {
        print "ifeq ($(MEASURE),1)"
        print target_of(name) ":" csvs
        print "else"
        gsub(/\.csv/, ".csv*", csvs)
        print target_of(name) ": $(wildcard" csvs ")"
        print "endif"
    }
    print target_of(name) ":"
    print "\t$(Q)$(if $(STALE),echo " name " >> $(STALE),run/collect $(RESULTS) && plots/draw $(RESULTS) " name ")"
}

END {
    print "# Written by run/manifest make from the manifests and plots/; do not edit."
    print_variables()
    print_experiments()
    for (i = 1; i <= figures; i++)
        print_figure(figure[i])
}
