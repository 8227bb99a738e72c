# Runs a package of a PARSEC tree that is built, in the current folder, as parsecmgmt would:
#   parsec_prebuilt.sh PARSECDIR CONFIG PACKAGE INPUT THREADS SUBMIT
set -u
PARSECDIR=$1 config=$2 package=$3 input=$4 NTHREADS=$5 submit=$6
export PARSECDIR NTHREADS
fail() { echo "$package: $1" >&2; exit 2; }

case $package in
  splash2x.*) below=ext/splash2x name=${package#*.} ;;
  *) below=pkgs name=$package ;;
esac
for folder in "$PARSECDIR/$below"/*/"$name"; do :; done
[ -d "$folder" ] || fail "no such package in $PARSECDIR/$below"
for installed in "$folder"/inst/*."$config"; do :; done
[ -d "$installed" ] || fail "not built for $config: there is no $folder/inst/*.$config"
PARSECPLAT=${installed##*/}
export PARSECPLAT
# The hooks may be a shared library.
hooks=$PARSECDIR/pkgs/libs/hooks/inst/$PARSECPLAT/lib
export LD_LIBRARY_PATH=$hooks${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
[ -f "$folder/parsec/$input.runconf" ] || fail "has no input $input"
source "$PARSECDIR/config/$input.runconf"
source "$folder/parsec/$input.runconf"

# The networked packages use the inputs of their models.
case $folder in
  */netapps/netferret) inputs=${folder/netapps\/net/apps\/}/inputs ;;
  */netapps/*) inputs=${folder/netapps\/net/kernels\/}/inputs ;;
  *) inputs=$folder/inputs ;;
esac
archive=$inputs/input_$input.tar
[ ! -f "$archive" ] || tar -xf "$archive" || fail "$archive cannot be unpacked"
eval exec '"$submit"' '"$installed/$run_exec"' "$run_args"
